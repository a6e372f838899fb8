import { join } from 'node:path'
import { site, testSite } from './express.js'

testSite('Express 4', `--require=${join(site, 'express4.js')}`)
