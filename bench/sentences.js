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
    ['what each request asks', 'stamp'],
    ['was a page of 10 tags purged?', 'purgedSince, 10 tags'],
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

const kilobytes = (figures, name) => amount(createReader(figures).read('Compressed files', name) / 1000, 'KB')
const palette = (figures, name) => createReader(figures).read("Tailwind's palette", name)

export const sentences = {
  measured,
  bytes,
  refined,
  redis,
  'image-size': (figures) => kilobytes(figures, '<Image>'),
  'placeholder-size': (figures) => kilobytes(figures, 'placeholder.css'),
  'spacing-size': (figures) => amount(createReader(figures).read('Compressed files', 'spacing.css'), 'bytes'),
  'styleguide-script-size': (figures) => kilobytes(figures, 'styleguide.js'),
  'tailwind-colors': (figures) => `${palette(figures, 'colors')} colors`,
  'tailwind-size': (figures) => amount(palette(figures, 'kilobytes'), 'KB'),
}
