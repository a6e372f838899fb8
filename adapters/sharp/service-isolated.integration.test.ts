import { renderInProcesses } from './testing/service.js'

// The table of service.integration.test.ts again, with transforms in processes of their own.
await renderInProcesses()
await import('./service.integration.test.js')
