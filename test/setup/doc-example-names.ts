// The names that the examples of doc comments use without declaring them. Only doc-examples.js compiles this file.
import type { ReactNode } from 'react'
import type { mergeModes as MergeModes } from '../../core/styleguide/colors/modes.js'

type Language = 'en' | 'de'

declare global {
  // Node and packages.
  const app: import('express').Express & import('hono').Hono
  const compress: typeof import('hono/compress').compress
  const compression: typeof import('compression')
  const createClient: typeof import('redis').createClient
  const createServer: typeof import('node:http').createServer
  const defineConfig: typeof import('vite').defineConfig
  const fileURLToPath: typeof import('node:url').fileURLToPath
  const http: typeof import('node:http')
  const http2: typeof import('node:http2')
  const pug: { renderFile(file: string, values: object): string }
  const readFile: typeof import('node:fs/promises').readFile
  const renderToReadableStream: typeof import('react-dom/server').renderToReadableStream
  const serve: typeof import('@hono/node-server').serve
  const server: import('express').Express & import('hono').Hono
  const subscribe: typeof import('node:diagnostics_channel').subscribe
  const storage: import('node:async_hooks').AsyncLocalStorage<unknown>
  const waitUntil: (promise: Promise<unknown>) => void
  const writeFileSync: typeof import('node:fs').writeFileSync

  // Objects that a site creates before the lines of an example.
  const cache: import('sitewright/cache').ResponseCache
  const cdn: import('sitewright/cdn').Cdn
  const client: import('sitewright/redis').RedisClient
  const content: import('sitewright/content').ContentTags
  const images: import('sitewright/image').Images
  const loader: import('sitewright/image').ImageLoader
  const preview: import('sitewright/preview').Preview
  const revalidate: import('sitewright/revalidate').RouteHandler
  const routes: import('sitewright/localized-pages').Routes
  const source: import('sitewright/content').ContentSource
  const store: import('sitewright/cache').Store
  const tagIndex: import('sitewright/redis').RedisTagIndex

  // Settings.
  const cert: string
  const key: string
  const metadataBase: URL
  // biome-ignore lint/suspicious/noExplicitAny: The examples of several functions use this name.
  const options: any
  const salt: string
  const secret: string
  const serviceId: string
  const serviceUrl: string
  const signature: string
  const sources: Record<string, string>
  const token: string

  // The site.
  const Card: (props: { span: number }) => ReactNode
  const cms: {
    slugs(slug: string, language: string): Promise<import('sitewright/localized-pages').Slugs<Language>>
    pages(): Promise<{ path: string }[]>
  }
  const colors: import('sitewright/styleguide').StyleColor[]
  const config: Record<string, unknown>
  const css: string
  const digests: Map<string, string>
  const Page: (props: { params?: { slug?: string[] }; children?: ReactNode }) => ReactNode
  const page: import('sitewright/localized-pages').LocalizedPage
  const params: { slug?: string[] }
  const pixels: Uint8Array
  const readMenu: () => Promise<string[]>
  const readMetadata: (params: unknown) => Promise<{ title: string }>
  const renderPage: import('sitewright/cache').Handler
  const slug: string
  const Swatch: (props: { color: string }) => ReactNode
  const tree: import('sitewright/react/styleguide').StyleguideTree
  const url: string
  const view: import('sitewright/styleguide').StyleguideView<ReactNode>

  // Requests, and what answers them.
  const handler: import('sitewright/cache').Handler
  const imageProxy: import('sitewright/image').RouteHandler
  const measured: Promise<import('sitewright/styleguide').MeasuredImage[]>
  const req: import('node:http').IncomingMessage
  const request: Request
  const res: import('node:http').ServerResponse
  const response: Response

  // Inside of the package.
  const download: (url: string, signal: AbortSignal) => Promise<Uint8Array>
  const entry: import('sitewright/cache').StoreEntry & import('../../core/cache/reuse.js').ReuseTerms
  const mergeModes: typeof MergeModes
  const original: Uint8Array
  const reader: import('../../core/styleguide/internal.js').ValueReader
  const resize: (original: Uint8Array) => Promise<Uint8Array>
  const trail: import('sitewright/styleguide').StyleguideNode[]
  const transform: (original: Uint8Array) => Promise<Uint8Array>
}
