import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'

const folders = ['styles', 'styleguide'].map((name) => join(process.cwd(), '../site', name))

/** In development, tells open pages when a file changes that the styleguide reads: Next.js watches only what is imported. */
export function GET(): Response {
  if (process.env.NODE_ENV !== 'development') return new Response(null, { status: 404 })
  let watchers: FSWatcher[] = []
  let timer: NodeJS.Timeout
  const events = new ReadableStream<string>({
    start(controller) {
      // One save is several events.
      const tell = () => {
        clearTimeout(timer)
        timer = setTimeout(() => controller.enqueue('data: changed\n\n'), 50)
      }
      watchers = folders.map((folder) => watch(folder, { recursive: true }, tell))
    },
    cancel() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  })
  return new Response(events.pipeThrough(new TextEncoderStream()), { headers: { 'Content-Type': 'text/event-stream' } })
}
