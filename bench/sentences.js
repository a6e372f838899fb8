// Sentences and words of the documentation that name figures.
import { amount, createReader, difference } from './format.js'

const ours = 'sitewright: proxy and embedded service'
const peers = { '`next/image`': 'next/image 16, next start', IPX: 'IPX 3' }

/** The date of the oldest figure. */
function measured(figures) {
  const [oldest] = Object.values(figures)
    .map(({ date }) => date)
    .sort()
  return oldest
}

/** Bytes and time of the peers' images, against ours. */
function bytes(figures) {
  const { read, ratio } = createReader(figures)
  const cell = (format, name) => {
    const title = `First requests, ${format}`
    const size = difference(read(`${title}, size`, name), read(`${title}, size`, ours))
    return `${size}, ${ratio(title, name, ours)} the time`
  }
  const rows = Object.entries(peers).map(
    ([peer, name]) => `| ${peer} | ${cell('AVIF', name)} | ${cell('WebP', name)} |`,
  )
  return ['| at equal SSIM, against ours | AVIF | WebP |', '|---|---|---|', ...rows].join('\n')
}

/** Bytes of refined images, and of the peers' at the same SSIM, against the images that are sent first. */
function refined(figures) {
  const { read } = createReader(figures)
  const formats = ['AVIF', 'WebP', 'JPEG']
  const rows = { refined: `${ours}, refined`, ...peers }
  const cells = (name) => formats.map((format) => difference(read(`Refinement: bytes, ${format}`, name), 1))
  return [
    '| | AVIF | WebP | JPEG |',
    '|---|---|---|---|',
    ...Object.entries(rows).map(([label, name]) => `| ${label} | ${cells(name).join(' | ')} |`),
  ].join('\n')
}

/** Processor time of one Redis, and how often it can do each in a second. */
function redis(figures) {
  const { read } = createReader(figures)
  const rows = [
    ['ask whether anything was purged, at each request', 'stamp'],
    ['after a purge, ask for the 10 tags of a page', 'purgedSince, 10 tags'],
    ['read a page of 10 kB', 'get, 10000 bytes'],
    ['read a page of 100 kB', 'get, 100000 bytes'],
    ['purge a tag among a million', 'purge of a tag, of 1000000'],
  ]
  const perSecond = (time) => (Math.floor(1000 / time) * 1000).toLocaleString('en')
  const cells = rows.map(
    ([text, name]) => `| ${text} | ${amount(read('Redis', name), 'µs')} | ${perSecond(read('Redis', name))} |`,
  )
  return ['| operation | processor time | a second |', '|---|---|---|', ...cells].join('\n')
}

const sizes = [1e4, 1e5, 1e6]
const gigabytes = (bytes) => amount(bytes / 1e9, 'GB')
const row = (text, cells) => `| ${text} | ${cells.join(' | ')} |`

/** What many pages and photographs take, computed from what one takes. */
function costOfPages(figures) {
  const { read } = createReader(figures)
  const rows = [
    ['pages in memory', read('Cost of a page: memory', 'page')],
    ['pages on disk', read('Cost of a page: disk', 'page')],
    ['pages in Redis', read('Cost of a page: Redis', 'page')],
    ['one photograph of each page, in all widths and formats, on disk', read('Cost of a photograph', 'all')],
  ]
  const head = ['| | 10,000 pages | 100,000 pages | 1,000,000 pages |', '|---|---|---|---|']
  return [
    ...head,
    ...rows.map(([text, bytes]) =>
      row(
        text,
        sizes.map((count) => gigabytes(count * bytes)),
      ),
    ),
  ].join('\n')
}

// Three pages, and eight pictures on each, of which the browser has half since its last visit.
const [pagesOfVisit, picturesOfVisit] = [3, 12]
const busiestHour = 3 // times the average

/** What a day of visits takes, computed from the processor time of one request. */
function costOfVisits(figures) {
  const { read } = createReader(figures)
  const page = read('A cached page of 20 KB: nodeListener, 32 connections', 'nodeListener')
  const time = (pagesOfVisit * page + picturesOfVisit * page) / 1e6
  const redisTime = (pagesOfVisit * read('Redis', 'stamp')) / 1e6
  const requests = (visits) => ((visits * (pagesOfVisit + picturesOfVisit) * busiestHour) / 86_400).toFixed(0)
  const share = (visits, seconds) => `${((visits * seconds * busiestHour * 100) / 86_400).toPrecision(2)} %`
  const rows = [
    ['requests a second in the busiest hour', sizes.map(requests)],
    ['of one core of the server', sizes.map((visits) => share(visits, time))],
    ['of one core of Redis, if the pages are there', sizes.map((visits) => share(visits, redisTime))],
  ]
  const head = ['| a day | 10,000 visits | 100,000 visits | 1,000,000 visits |', '|---|---|---|---|']
  return [...head, ...rows.map(([text, cells]) => row(text, cells))].join('\n')
}

const kilobytes = (figures, name) => amount(createReader(figures).read('Compressed files', name) / 1000, 'KB')
const palette = (figures, name) => createReader(figures).read("Tailwind's palette", name)

export const sentences = {
  measured,
  bytes,
  refined,
  redis,
  'cost-pages': costOfPages,
  'cost-visits': costOfVisits,
  'cost-photograph': (figures) => {
    const { read } = createReader(figures)
    const time = amount(read('Cost of a photograph, processor time', 'all') / 1000, 'seconds')
    return `${read('Cost of a photograph', 'files')} files of ${amount(read('Cost of a photograph', 'all') / 1e6, 'MB')} together, and ${time} of one core`
  },
  'image-size': (figures) => kilobytes(figures, '<Image>'),
  'placeholder-size': (figures) => kilobytes(figures, 'placeholder.css'),
  'spacing-size': (figures) => amount(createReader(figures).read('Compressed files', 'spacing.css'), 'bytes'),
  'styleguide-script-size': (figures) => kilobytes(figures, 'styleguide.js'),
  'tailwind-colors': (figures) => `${palette(figures, 'colors')} colors`,
  'tailwind-size': (figures) => amount(palette(figures, 'kilobytes'), 'KB'),
}
