import { subscribe } from 'node:diagnostics_channel'
import type { DiagnosticEvents } from 'sitewright/metrics'

subscribe('sitewright:render', (event) => {
  const { url, seconds = 0 } = event as DiagnosticEvents['render']
  if (seconds > 1) console.warn(`${url} took ${seconds.toFixed(1)} s`)
})
