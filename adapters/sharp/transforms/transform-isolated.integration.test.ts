import { renderInProcesses } from '../testing/service.js'

// The table of transform.integration.test.ts again, with transforms in processes of their own.
await renderInProcesses()
await import('./transform.integration.test.js')
