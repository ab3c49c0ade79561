{{- define "burgee.name" -}}
{{- .Release.Name | trunc 53 | trimSuffix "-" -}}
{{- end -}}

{{- define "burgee.selector" -}}
app.kubernetes.io/name: burgee
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "burgee.labels" -}}
{{ include "burgee.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "burgee.store" -}}
{{- if eq .Values.store.type "postgres" -}}
{{ required "store.url is required: postgres://<user>@<host>/<database>" .Values.store.url }}
{{- else if eq .Values.store.type "file" -}}
file:/var/lib/burgee/data
{{- else -}}
{{ fail (printf "store.type should be postgres or file, got %s" .Values.store.type) }}
{{- end -}}
{{- end -}}
