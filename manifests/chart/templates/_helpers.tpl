{{- define "sluice.featureGates" -}}
{{- range $i, $gate := .Values.controllerManager.featureGates -}}
{{- if $i }},{{ end }}{{ $gate.name }}={{ $gate.enabled }}
{{- end -}}
{{- end -}}
