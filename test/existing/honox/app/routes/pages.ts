export { default } from '../pages.js'
