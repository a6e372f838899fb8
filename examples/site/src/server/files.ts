import { type FileHandle, open, readdir } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { Readable } from 'node:stream'
import type { RouteHandler } from 'sitewright/image'

export interface Mount {
  /** URL path of the folder, with a slash at both ends. */
  path: string
  folder: string
  cacheControl: string
}

interface File {
  path: string
  type: string
  cacheControl: string
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** Serves the files of folders. They are listed once, at start, so no path can reach any other file. */
export async function createFiles(mounts: readonly Mount[]): Promise<RouteHandler> {
  const files = new Map((await Promise.all(mounts.map(listFiles))).flat())
  return async (request) => {
    const file = files.get(new URL(request.url).pathname)
    if (!file || (request.method !== 'GET' && request.method !== 'HEAD')) return undefined
    const handle = await open(file.path).catch(() => undefined)
    return handle && sendFile(file, handle, request) // undefined if the file was deleted meanwhile
  }
}

async function sendFile(file: File, handle: FileHandle, { method, headers }: Request): Promise<Response> {
  // Size and content come from one handle, since the file at a path may be replaced at any time.
  const { size, mtimeMs } = await handle.stat()
  const etag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`
  const isNotModified = headers.get('If-None-Match')?.includes(etag) ?? false
  const init = {
    status: isNotModified ? 304 : 200,
    headers: {
      'Content-Type': file.type,
      'Cache-Control': file.cacheControl,
      ETag: etag,
      'X-Content-Type-Options': 'nosniff',
      ...(!isNotModified && { 'Content-Length': String(size) }),
    },
  }
  if (isNotModified || method === 'HEAD' || size === 0) {
    await handle.close()
    return new Response(null, init)
  }
  const body = Readable.toWeb(handle.createReadStream({ end: size - 1 }))
  return new Response(body as ReadableStream<Uint8Array>, init)
}

async function listFiles({ path, folder, cacheControl }: Mount): Promise<[string, File][]> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  return names.flatMap((name): [string, File][] => {
    const type = types[extname(name)]
    return type ? [[path + encodeURI(name.replaceAll(sep, '/')), { path: join(folder, name), type, cacheControl }]] : []
  })
}
