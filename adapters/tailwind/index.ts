export { fromTailwind4, readTailwind4Theme, type Tailwind4Options } from './theme.js'
