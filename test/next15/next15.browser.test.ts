import { join } from 'node:path'
import { testNextSite } from '../next-site/suite.js'

testNextSite({ folder: join(import.meta.dirname, 'built'), cacheComponents: false })
