import { renderInProcesses } from './testing/service.js'

// The table of service.test.ts again, with transforms in processes of their own.
await renderInProcesses()
await import('./service.test.js')
