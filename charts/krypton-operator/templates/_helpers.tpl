{{- define "krypton.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "krypton.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains (include "krypton.name" .) .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "krypton.name" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "krypton.namespace" -}}
{{- default .Release.Namespace .Values.namespace -}}
{{- end -}}

{{- define "krypton.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "krypton.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "krypton.reporter" -}}
{{- printf "%s-kms-reporter" (include "krypton.fullname" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- /* Whether this cluster is the operator's home: its Secrets name clusters, and the leader is elected on it. */ -}}
{{- define "krypton.isHome" -}}
{{- if .Values.installMode.crdsRbacOnly -}}
{{- ternary "true" "" .Values.installMode.home -}}
{{- else -}}
{{- ternary "true" "" (eq .Values.watchCluster.secretName "") -}}
{{- end -}}
{{- end -}}

{{- /*
A namespace that is made unless it is there already; it stays when the release goes, because others keep objects in it.
Takes "root" and "name".
*/ -}}
{{- define "krypton.madeNamespace" -}}
{{- $root := .root -}}
{{- $found := lookup "v1" "Namespace" "" .name -}}
{{- $annotations := dig "metadata" "annotations" dict $found -}}
{{- $ours := and (eq (get $annotations "meta.helm.sh/release-name") $root.Release.Name) (eq (get $annotations "meta.helm.sh/release-namespace") $root.Release.Namespace) -}}
{{- if and (ne .name $root.Release.Namespace) (or (not $found) $ours) }}
---
apiVersion: v1
kind: Namespace
metadata:
  name: {{ .name }}
  labels:
    {{- include "krypton.labels" $root | nindent 4 }}
  annotations:
    helm.sh/resource-policy: keep
{{- end }}
{{- end -}}

{{- define "krypton.selectorLabels" -}}
app.kubernetes.io/name: {{ include "krypton.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "krypton.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "krypton.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- /* An image reference from a map like .Values.image; a digest wins over the tag. */ -}}
{{- define "krypton.image" -}}
{{- $image := .image -}}
{{- $path := ternary (printf "%s/%s" $image.registry $image.repository) $image.repository (ne $image.registry "") -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $path $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $path (default .chart.AppVersion $image.tag) -}}
{{- end -}}
{{- end -}}

{{- define "krypton.args" -}}
{{- $v := .Values -}}
- --chart-repo={{ $v.chart.repo }}
- --chart-name={{ $v.chart.name }}
- --chart-version={{ $v.chart.version }}
- --chart-install-crds={{ $v.chart.installCRDs }}
{{- if $v.chart.repoCredentialsSecret }}
- --chart-repo-credentials-dir=/etc/krypton/chart-repo
{{- end }}
{{- if $v.chart.values }}
- --chart-values-file=/etc/krypton/chart/values.yaml
{{- end }}
- --namespace={{ $v.discovery.namespace }}
- --kubeconfig-label={{ $v.discovery.kubeconfigLabel }}
- --kubeconfig-key={{ $v.discovery.kubeconfigKey }}
{{- with $v.watchCluster }}
{{- if .context }}
- --watch-context={{ .context }}
{{- end }}
{{- if .secretName }}
- --watch-kubeconfig-secret={{ .secretName }}
- --watch-kubeconfig-secret-key={{ .secretKey }}
{{- if .secretNamespace }}
- --watch-kubeconfig-secret-namespace={{ .secretNamespace }}
{{- end }}
{{- end }}
- --ensure-watch-crds={{ .ensureCrds }}
{{- end }}
{{- with $v.operator }}
- --check-interval={{ .checkInterval }}
- --watch-namespaces={{ .watchNamespaces }}
- --controllers={{ .controllers }}
- --leader-elect={{ .leaderElect }}
- --self-cluster={{ .selfCluster }}
- --drift-detection={{ .driftDetection }}
- --adopt-namespaces={{ .adoptNamespaces }}
- --allow-chart-skip={{ .allowChartSkip }}
- --log-level={{ .logLevel }}
- --log-format={{ .logFormat }}
{{- end }}
- --metrics-auth={{ $v.metrics.auth }}
- --kms-lease-namespace={{ $v.kms.leaseNamespace }}
{{- end -}}
