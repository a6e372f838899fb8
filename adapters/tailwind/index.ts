export { fromTailwind4, type Tailwind4Options } from './theme.js'
