export { type NextImageLoader, nextImageLoader } from './loader.js'
