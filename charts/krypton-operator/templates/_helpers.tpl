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
- --kms-lease-namespace={{ include "krypton.namespace" . }}
{{- end -}}
