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
{{- $url := required "store.url is required: postgres://<user>@<host>/<database>" .Values.store.url -}}
{{- if or (regexMatch "^[^/]*//[^/@]*:[^/]*@" $url) (regexMatch "[?&]password=" $url) -}}
{{ fail "store.url should have no password: it would be readable in the ConfigMap. Put it into the Secret as PGPASSWORD" }}
{{- end -}}
{{ $url }}
{{- else if eq .Values.store.type "file" -}}
file:/var/lib/burgee/data
{{- else -}}
{{ fail (printf "store.type should be postgres or file, got %s" .Values.store.type) }}
{{- end -}}
{{- end -}}

{{- define "burgee.replicas" -}}
{{- $isShared := eq .Values.store.type "postgres" -}}
{{- $replicas := kindIs "invalid" .Values.replicas | ternary (ternary 2 1 $isShared) .Values.replicas | int -}}
{{- if and (not $isShared) (gt $replicas 1) -}}
{{ fail (printf "replicas should be 0 or 1 with store.type file, got %d: a directory belongs to one server" $replicas) }}
{{- end -}}
{{ $replicas }}
{{- end -}}

{{- /* Settings as a map of texts. Numbers of values files are floats, which would be written as 1e+06. */ -}}
{{- define "burgee.settings" -}}
{{- $own := list "BURGEE_PUBLIC_URL" "BURGEE_STORE" "BURGEE_TRUSTED_PROXIES" "BURGEE_METRICS_PORT" "BURGEE_CACHE_DIRECTORY" "BURGEE_HOST" "BURGEE_PORT" -}}
{{- range $name, $value := .Values.settings }}
{{- if has $name $own }}
{{- fail (printf "settings should not have %s: the chart sets it" $name) }}
{{- end }}
{{- if and (kindIs "float64" $value) (eq (floor $value) $value) }}
{{- $value = int64 $value }}
{{- end }}
{{ $name }}: {{ $value | toString | quote }}
{{- end }}
{{- end -}}
