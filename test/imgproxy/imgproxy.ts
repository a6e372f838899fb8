import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { basename, join, posix } from 'node:path'
import { createSigner, type SigningKey } from '../../core/image/sign.js'
import { listen } from '../adapter/listen.js'
import { cropLikeImgproxy } from './crop.js'

export const serviceKey = { key: '736563726574', salt: '68656c6c6f' }

/** Answers in place of imgproxy, with an error for example. */
export type Answer = (req: IncomingMessage, res: ServerResponse) => void

export interface ImgproxyOptions {
  /** `IMGPROXY_KEY` and `IMGPROXY_SALT`. Default: {@link serviceKey}. */
  key?: SigningKey
  /** `IMGPROXY_LOCAL_FILESYSTEM_ROOT`. Default: none, so that `local://` is an unknown scheme. */
  root?: string
  /** `IMGPROXY_BASE_URL`: prepended to sources without it. Default: none. */
  baseUrl?: string
  /** `IMGPROXY_PATH_PREFIX`. Default: none. */
  pathPrefix?: string
  /** `IMGPROXY_SECRET`. Default: none. */
  secret?: string
  /** `IMGPROXY_ALLOWED_SOURCES`. Default: all. */
  allowedSources?: readonly string[]
  /** `IMGPROXY_ALLOW_LOOPBACK_SOURCE_ADDRESSES`. Default `false`. */
  allowLoopback?: boolean
  /**
   * `IMGPROXY_WORKERS` plus `IMGPROXY_REQUESTS_QUEUE_SIZE`: further requests are answered with 429. Default: no
   * limit.
   */
  maxRequests?: number
  /** Awaited for each image after its original was read. Default: no wait. */
  work?: (source: string) => Promise<void> | undefined
  /** Answers for some originals, by the name of the file, in place of images. Default: no such answers. */
  answers?: Record<string, Answer>
}

/**
 * Starts a stand-in of imgproxy 4: what the proxy can see of it, after the source of imgproxy, whose files the comments
 * name. It decodes only what it crops, which is a PNG. Any other image is the original's bytes after the name of the
 * format.
 */
export async function startImgproxy(options: ImgproxyOptions = {}) {
  const { key = serviceKey, pathPrefix = '', secret, answers = {}, maxRequests = Number.POSITIVE_INFINITY } = options
  const sign = createSigner(key)
  const requestHeaders: IncomingMessage['headers'][] = []
  const sources: string[] = []
  let inProgress = 0
  let disconnected = 0

  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    // server/router.go: no route is a 404 with one space.
    if (!req.url?.startsWith(`${pathPrefix}/`)) throw new ImgproxyError(404, ' ')
    // server/middlewares.go, WithSecret; the message of "Invalid secret" is that of an invalid signature.
    if (secret && req.headers.authorization !== `Bearer ${secret}`) throw new ImgproxyError(403, 'Forbidden')
    // handlers/path.go: the query is cut off; what has no signature or no path is no URL.
    const uri = (req.url.split('?')[0] ?? '').slice(pathPrefix.length)
    const [, signature, path] = /^\/([^/]+)(\/.+)$/.exec(uri) ?? []
    if (!signature || !path) throw new ImgproxyError(404, 'Invalid URL')
    // security/errors.go
    if (signature !== sign(path)) throw new ImgproxyError(403, 'Forbidden')
    requestHeaders.push(req.headers)
    const source = decodeUrl(path.split('/').slice(1), options.baseUrl)
    sources.push(source)
    const { allowedSources } = options
    if (allowedSources && !allowedSources.some((prefix) => source.startsWith(prefix))) {
      throw new ImgproxyError(404, 'Invalid source URL')
    }
    // security/errors.go, as for a source that is not allowed
    if (!options.allowLoopback && /^https?:\/\/(?:127\.|localhost[:/]|\[::1\])/.test(source)) {
      throw new ImgproxyError(404, 'Invalid source URL')
    }
    const answer = answers[basename(source)]
    if (answer) return answer(req, res)
    if (inProgress >= maxRequests) throw new ImgproxyError(429, 'Too many requests') // workers/errors.go
    inProgress++
    res.once('close', () => {
      if (!res.writableEnded) disconnected++
    })
    try {
      const original = await fetchOriginal(source, options.root, conditionsOf(req))
      const negotiated = { Vary: 'Accept', 'Cache-Control': 'max-age=31536000, public', ...original.validators }
      if (!original.bytes) return void res.writeHead(304, negotiated).end()
      // Continues when the client has left: handlers/processing/request.go checks only the time limit.
      await options.work?.(source)
      const isCropped = /^\/rs:fill(?:-down)?:\d+:[1-9]/.test(path)
      const format = isCropped ? 'png' : formatOf(req.headers.accept, source)
      const body = isCropped
        ? await cropLikeImgproxy(original.bytes, path.slice(1).split('/'))
        : imageOf(format, original.bytes)
      res.writeHead(200, {
        ...negotiated,
        'Content-Type': `image/${format}`,
        'Content-Length': body.length,
        'Content-Disposition': `inline; filename="${encodeURIComponent(basename(source, posix.extname(source)))}.${format}"`,
        'Content-Security-Policy': "script-src 'none'",
      })
      res.end(body)
    } finally {
      inProgress--
    }
  }

  const server = await listen((req, res) => {
    res.setHeader('Server', 'imgproxy').setHeader('X-Request-Id', 'V1StGXR8_Z5jdHi6B-myT')
    serve(req, res).catch((error: unknown) => {
      // server/middlewares.go, WithReportError
      const { status, message } = error instanceof ImgproxyError ? error : { status: 500, message: String(error) }
      res.writeHead(status, { 'Content-Type': 'text/plain' }).end(message)
    })
  })
  return {
    ...server,
    /** The headers of the requests whose signature was right. */
    seen: requestHeaders,
    /** The decoded sources of these requests. */
    sources,
    /** Returns how many clients left before they were answered. */
    left: () => disconnected,
  }
}

/** Returns the image that {@link startImgproxy} renders from an original. */
export const imageOf = (format: string, original: Uint8Array) => Buffer.concat([Buffer.from(`${format}:`), original])

class ImgproxyError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

// fetcher/errors.go
const unreachable = () => new ImgproxyError(404, 'Source is unreachable')

/** options/parser/url.go: the options end at the first segment without an argument; base64, or `plain/`. */
function decodeUrl(parts: string[], baseUrl = ''): string {
  const encoded = parts.slice(parts.findIndex((part) => !part.includes(':')))
  const [plain, ...rest] = encoded
  const source =
    plain === 'plain' && rest.length > 0
      ? decodeURIComponent(rest.join('/').split('@')[0] ?? '')
      : Buffer.from(encoded.join('').split('.')[0] ?? '', 'base64url').toString()
  if (!source) throw new ImgproxyError(404, 'Invalid URL')
  return source.startsWith(baseUrl) ? source : baseUrl + source
}

interface Conditions {
  etag: string | undefined
  since: string | undefined
}

/** httpheaders/conditionalheaders/request.go: both are passed on as they came. */
const conditionsOf = ({ headers }: IncomingMessage): Conditions => ({
  etag: headers['if-none-match'],
  since: headers['if-modified-since'],
})

interface Original {
  validators: Record<string, string>
  /** `undefined`: not modified. */
  bytes: Buffer | undefined
}

async function fetchOriginal(source: string, root: string | undefined, conditions: Conditions): Promise<Original> {
  // fetcher/transport/url.go looks for the schemes in lower case; net/url rejects control characters.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as Go's
  if (/[\x00-\x1f\x7f]/.test(source)) throw unreachable()
  if (/^https?:\/\//.test(source)) return await download(source, conditions)
  const [, scheme, name] = /^([a-z][a-z0-9+.-]*):\/\/[^/]*(.*)$/is.exec(source) ?? []
  if (scheme?.toLowerCase() !== 'local' || root === undefined) throw unreachable()
  return await readLocal(root, name as string, conditions)
}

/**
 * fetcher/transport/url.go, EscapeURL and GetBucketAndKey: the name is literal, and ends at the first `?`
 * (`IMGPROXY_SOURCE_URL_QUERY_SEPARATOR`). fetcher/transport/fs/fs.go opens it below the root, in which `..` ends.
 */
async function readLocal(root: string, name: string, { etag, since }: Conditions): Promise<Original> {
  const path = posix.normalize(`/${(name.split('?')[0] ?? '').replace(/^\/+/, '')}`).replace(/(?<=.)\/$/, '')
  const info = await stat(join(root, path)).catch(() => undefined)
  if (!info?.isFile()) throw unreachable()
  const tag = createHash('md5').update(`${path}__${info.size}__${info.mtimeMs}`).digest('base64url')
  const modified = new Date(Math.floor(info.mtimeMs / 1000) * 1000)
  const validators = { ETag: `"${tag}"`, 'Last-Modified': modified.toUTCString() }
  // fetcher/transport/notmodified/notmodified.go: tags are compared as text, and where they differ the times decide.
  const isNotModified = etag === validators.ETag || (since !== undefined && new Date(since) >= modified)
  return { validators, bytes: isNotModified ? undefined : await readFile(join(root, path)) }
}

async function download(source: string, { etag, since }: Conditions): Promise<Original> {
  const headers = { ...(etag && { 'If-None-Match': etag }), ...(since && { 'If-Modified-Since': since }) }
  const response = await fetch(source, { headers }).catch(() => {
    throw unreachable()
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const validators = Object.fromEntries(
    ['ETag', 'Last-Modified'].flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
  if (response.status === 304) return { validators, bytes: undefined }
  if (response.status !== 200) throw unreachable()
  return { validators, bytes }
}

/** `IMGPROXY_AUTO_AVIF` and `IMGPROXY_AUTO_WEBP`: looks for the bare words in Accept, whatever their quality is. */
function formatOf(accept = '', source: string): string {
  if (accept.includes('image/avif')) return 'avif'
  if (accept.includes('image/webp')) return 'webp'
  return /\.png(?:$|\?)/.test(source) ? 'png' : 'jpeg'
}
