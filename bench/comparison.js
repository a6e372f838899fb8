// The table of README.md, out of the figures.
import { amount, createReader } from './format.js'

const us = 'sitewright'
const image = {
  ours: 'sitewright: proxy and embedded service',
  ipx: 'IPX 3',
  next: 'next/image 16, next start',
}

export function comparison(figures) {
  const { of, ratio, read } = createReader(figures)
  const firstVisits = (format) => {
    const title = `First requests, ${format}`
    const peer = (name) => `${ratio(title, name, image.ours)} (${of(`${title}, size`, name)})`
    const peers = `IPX 3: ${peer(image.ipx)}; \`next/image\` 16: ${peer(image.next)}`
    return [of(title, image.ours), of(`${title}, size`, image.ours), peers]
  }
  const [avif, webp] = [firstVisits('AVIF'), firstVisits('WebP')]
  const repeated = (title) => [
    of(title, image.ours),
    `IPX 3: ${ratio(title, image.ipx, image.ours)}; \`next/image\` 16: ${ratio(title, image.next, image.ours)}`,
  ]
  const [cached, unchanged] = ['An image from the cache', 'The same, not modified (304)'].map(repeated)
  const caches = (title, suffix, ours) =>
    ['bentocache', 'cacheable', 'ocache'].map((name) => `${name} ${ratio(title, name + suffix, ours)}`).join('; ')
  const page = (server) => `A cached page of 20 KB: ${server}, 32 connections`
  const [node, hono, express] = ['nodeListener', 'honoMiddleware', 'expressMiddleware'].map(page)
  const constant = 'A constant page of 20 KB, 32 connections'
  const onExpress = 'The same on Express, 32 connections'
  const proxied = 'A proxied image of 30 KB, 32 connections'
  const waits = 'A proxied image of 30 KB, 64 connections, 99 % within'
  const ours = (title) =>
    ['Node', 'Hono', 'Express'].map((name) => `${name} ${of(title, `${us} on ${name}`)}`).join(', ')
  const proxies = (title, names) => names.map((name) => `${name} ${of(title, name)}`).join('; ')
  const purge = 'Purging a tag on 1,000,000 pages'
  const memory = 'Memory after 200,000 URLs of 2 KB'
  const find = 'Finding a page of the styleguide at depth 3'

  return table([
    ['task', us, 'peers'],
    ['9 photographs at equal SSIM, first request, AVIF', `${avif[0]}, ${avif[1]}`, avif[2]],
    ['9 photographs at equal SSIM, first request, WebP', `${webp[0]}, ${webp[1]}`, webp[2]],
    ['a repeated image', ...cached],
    ['the same with `If-None-Match` (304)', ...unchanged],
    [
      'a signed imgproxy URL',
      of('A signed imgproxy URL', 'sitewright encodeSource, createSigner'),
      `imgproxy's Node client: ${ratio('A signed imgproxy URL', 'imgproxy-node generateImageUrl', 'sitewright encodeSource, createSigner')}`,
    ],
    [
      'the `srcset` of one image',
      of('The srcset of one image', 'sitewright imageSrcSet'),
      `unpic: ${ratio('The srcset of one image', 'unpic transformProps, imgix', 'sitewright imageSrcSet')}`,
    ],
    [
      'a cached page, as a function call',
      of('A hit as a function call', us),
      caches('A hit as a function call', '', us),
    ],
    [
      'a cached page of 20 KB, processor time',
      `Node ${of(node, 'nodeListener')}, Hono ${of(hono, 'honoMiddleware')}, Express ${of(express, 'expressMiddleware')}`,
      `on Hono: ${caches(hono, ' on Hono', 'honoMiddleware')}`,
    ],
    [
      'a constant page of 20 KB, processor time',
      `Node ${of(constant, 'nodeListener, FastResponse')}, Express ${of(onExpress, 'expressMiddleware, FastResponse')}`,
      `\`http\` ${of(constant, 'http')}; @hono/node-server ${of(constant, 'hono node-server')}; srvx ${of(constant, 'srvx FastResponse')}; remix ${of(constant, 'remix node-fetch-server')}; Express' \`res.send\` ${of(onExpress, 'express res.send')}`,
    ],
    [
      'a proxied image of 30 KB, processor time',
      ours(proxied),
      proxies(proxied, [
        'undici, bare',
        'fast-proxy',
        'http-proxy-3',
        'hono/proxy',
        'http-proxy-middleware on Express',
      ]),
    ],
    [
      'the same at 64 connections: 99 % of the requests within',
      ours(waits),
      proxies(waits, ['undici, bare', 'fast-proxy', 'hono/proxy', 'http-proxy-middleware on Express']),
    ],
    [
      'purging a tag of 1,000,000 pages',
      of(purge, us),
      `bentocache ${ratio(purge, 'bentocache', us)}; cacheable ${ratio(purge, 'cacheable', us)}; ocache has no tags`,
    ],
    [
      'memory after 200,000 URLs of 2 KB, bound 64 MiB',
      of(memory, us),
      ['bentocache', 'cacheable', 'ocache'].map((name) => `${name} ${of(memory, name)}`).join('; '),
    ],
    ['a styleguide page of 300 colors', of('Rendering a page of 300 colors', 'as a grid'), '–'],
    [
      'finding one of 99,499 styleguide pages',
      of(find, 'among 99,499 pages'),
      `one of 85: ${amount(read(find, 'among 85 pages'), 'µs')}`,
    ],
  ])
}

function table([head, ...rows]) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), '|---|---|---|', ...rows.map(line)].join('\n')
}
