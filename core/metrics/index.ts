export type { DiagnosticEvents, WorkEvent } from '../diagnostics.js'
export type { RouteHandler } from '../handler.js'
export { createMetrics, type MetricsOptions } from './metrics.js'
