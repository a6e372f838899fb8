import type { Store } from '../cache/index.js'
import { type Channel, channels, type WorkEvent } from '../diagnostics.js'
import { addSeconds, createRegistry } from './registry.js'

/**
 * Counts all events of this process from now on, by labels from closed lists. Names are after imgproxy
 * (https://docs.imgproxy.net/monitoring/prometheus) and OpenTelemetry's conventions for metrics.
 *
 * @returns The function that formats the metrics.
 */
export function countEvents(stores: Readonly<Record<string, Store>>): (isOpenMetrics: boolean) => string {
  const { define, format } = createRegistry()

  /** Measures how much work of a channel is in progress and how long it takes, by one property of the events. */
  const measure = <Event extends WorkEvent>(channel: Channel<Event> | undefined, label: keyof Event, name: string) => {
    const running = define('gauge', `sitewright_${name}s_in_progress`, `Number of ${name}s in progress.`)
    const duration = define('histogram', `sitewright_${name}_duration_seconds`, `Duration of each ${name}.`)
    // Work that began before is left out, though its end may be published to us.
    const begun = new WeakSet<WorkEvent>()
    channel?.subscribe((event) => {
      const labels = { [label]: String(event[label]) }
      const { seconds, error } = event
      if (seconds === undefined) {
        begun.add(event)
        running.add(labels, 1)
      } else if (begun.has(event)) {
        running.add(labels, -1)
        addSeconds(duration, { ...labels, result: error === undefined ? 'success' : 'error' }, seconds)
      }
    })
  }

  const requests = define('counter', 'sitewright_cache_requests', 'Answers of response caches by their Cache-Status.')
  channels.cache?.subscribe(({ cacheStatus }) => requests.add(labelsOf(cacheStatus), 1, '_total'))
  const images = define('counter', 'sitewright_image_requests', 'Answers of images.handler by their HTTP status.')
  channels.image?.subscribe(({ status }) => images.add({ status: String(status) }, 1, '_total'))
  measure(channels.render, 'cache', 'render')
  measure(channels.purge, 'target', 'purge')
  measure(channels.imageSpan, 'span', 'image_span')
  const bytes = define('gauge', 'sitewright_store_bytes', 'Bytes of all entries of a store.')

  return (isOpenMetrics) => {
    for (const [name, store] of Object.entries(stores)) bytes.set({ store: name }, store.bytes?.() ?? 0)
    return format(isOpenMetrics)
  }
}

/**
 * Returns the labels of an answer from the last member of its `Cache-Status`. The field in the detail `vary-…` is left
 * out, because the names of fields are no closed list.
 */
export function labelsOf(cacheStatus: string) {
  const member = cacheStatus.slice(cacheStatus.lastIndexOf(',') + 1).trim()
  const [cache = '', how = '', ...parameters] = member.split('; ')
  const forward = parameters.includes('collapsed') ? 'collapsed' : how.slice('fwd='.length)
  const detail = parameters.find((parameter) => parameter.startsWith('detail='))?.slice('detail='.length) ?? ''
  return { cache, outcome: how === 'hit' ? how : forward, detail: detail.startsWith('vary-') ? 'vary' : detail }
}
