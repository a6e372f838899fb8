import { testExamples } from './contract.js'

// The other examples answer the same, and are asked in the slow tests.
testExamples(['vite-hono'])
