// What the adapters of this package share with the image proxy, and no user of the package is to rely on.
export { refusalResponse, safetyHeaders } from './errors.js'
