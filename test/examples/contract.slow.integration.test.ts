import { testExamples } from './contract.js'

testExamples(['vite-express', 'example-next'])
