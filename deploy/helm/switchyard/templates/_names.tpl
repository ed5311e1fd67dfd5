{{- define "switchyard.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "switchyard.closedService" -}}
{{- printf "%s-closed" (include "switchyard.fullname" . | trunc 56 | trimSuffix "-") -}}
{{- end -}}

{{- define "switchyard.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "switchyard.labels" -}}
{{ include "switchyard.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "switchyard.image" -}}
{{ printf "%s:%s" (required "image.repository: missing" .Values.image.repository) (.Values.image.tag | default .Chart.AppVersion) }}
{{- end -}}

{{- define "switchyard.environment" -}}
- name: HOST
  value: 0.0.0.0
- name: PORT
  value: '3000'
- name: DATA_DIR
  value: /var/lib/switchyard
- name: LOG_DIR
  value: /var/log/switchyard
# For the log collector of the cluster.
- name: LOG_STDOUT
  value: '1'
# Logs name the pod as the source of each entry.
- name: INSTANCE_NAME
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
- name: APP_URL
  value: {{ required "appUrl: missing" .Values.appUrl | quote }}
{{- $secret := required "existingSecret: missing" .Values.existingSecret }}
{{- $required := list "DATABASE_URL" "SECRET_KEY" }}
{{- if .Values.eventStore.enabled }}
{{- $required = append $required "EVENT_STORE_URL" }}
{{- end }}
{{- range $required }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: {{ . }}
{{- end }}
{{- range list "ADMIN_PASSWORD" "GOOGLE_CLIENT_SECRET" "METRICS_TOKEN" "REQUEST_KEY" "SECRET_KEY_PREVIOUS" "SMTP_URL" }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: {{ . }}
      optional: true
{{- end }}
{{- if and .Values.eventStore.enabled .Values.eventStore.cluster }}
- name: EVENT_STORE_CLUSTER
  value: {{ .Values.eventStore.cluster | quote }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- include "switchyard.caVariable" (dict "name" "NODE_EXTRA_CA_CERTS" "values" .Values) }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "switchyard.caVariable" -}}
{{- if or .values.caBundle.secret .values.caBundle.configMap }}
- name: {{ .name }}
  value: {{ printf "/etc/switchyard/ca/%s" .values.caBundle.key | quote }}
{{- end }}
{{- end -}}

{{- define "switchyard.account" -}}
securityContext:
  runAsNonRoot: true
  # The account `node` of the image.
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "switchyard.restrictions" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop:
      - ALL
{{- end -}}

{{- define "switchyard.mounts" -}}
{{- if or .Values.caBundle.secret .Values.caBundle.configMap }}
- name: ca
  mountPath: /etc/switchyard/ca
  readOnly: true
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "switchyard.volumes" -}}
{{- if .Values.caBundle.secret }}
- name: ca
  secret:
    secretName: {{ .Values.caBundle.secret }}
{{- else if .Values.caBundle.configMap }}
- name: ca
  configMap:
    name: {{ .Values.caBundle.configMap }}
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
