import { join } from 'node:path'
import { testNextSite } from './suite.js'

testNextSite({ folder: join(import.meta.dirname, 'built'), cacheComponents: true })
