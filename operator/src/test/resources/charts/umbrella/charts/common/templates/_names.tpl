{{- define "common.name" -}}
{{ printf "%s-%s" .release.Name .part | trunc 63 | trimSuffix "-" }}
{{- end -}}
{{- define "common.labels" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
example.test/region: {{ .Values.global.region }}
{{- end -}}
