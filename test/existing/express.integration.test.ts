import { testSite } from './express.js'

testSite('Express 5')
