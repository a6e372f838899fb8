import { join } from 'node:path'
import { testInstances } from './instances.js'
import { testNextSite } from './suite.js'

const { start } = testNextSite({
  folder: join(import.meta.dirname, 'built'),
  cacheComponents: true,
  // Pages and routes that share their content, whose own code purges it.
  added: join(import.meta.dirname, 'shared'),
})

testInstances(start)
