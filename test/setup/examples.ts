import { createServer } from 'node:http'
import type { TestProject } from 'vitest/node'
import { listen } from '../adapter/listen.js'
import { type RunningExample, startExample } from '../examples/start.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a server that starts an example at the first request for its name, and responds with its origin. */
    examples: string
  }
}

/** Lets all files of a run share one process of each example, started when the first of them asks for it. */
export default async function shareExamples(project: TestProject): Promise<() => Promise<void>> {
  const running = new Map<string, Promise<RunningExample>>()
  const start = (name: string) => {
    const example = running.get(name) ?? startExample(name, { STYLEGUIDE_ENABLED: 'true' })
    running.set(name, example)
    return example
  }
  const server = await listen(
    createServer((request, response) => {
      start((request.url ?? '').slice(1)).then(
        ({ url }) => response.end(url),
        (error) => response.writeHead(500).end(String(error)),
      )
    }),
  )
  project.provide('examples', server.url)
  return async () => {
    await server.close()
    await Promise.allSettled([...running.values()].map(async (example) => (await example).close()))
  }
}
