import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { Readable } from 'node:stream'
import type { RouteHandler } from 'sitewright/image'

export interface Mount {
  /** Path that the files are under, with a slash at both ends. */
  path: string
  folder: string
  cacheControl: string
}

interface File {
  path: string
  size: number
  headers: Record<string, string>
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** Serves the files of folders. They are listed once: a path that names none of them can reach nothing. */
export async function createFiles(mounts: readonly Mount[]): Promise<RouteHandler> {
  const files = new Map((await Promise.all(mounts.map(listFiles))).flat())
  return async ({ method, url, headers }) => {
    const file = files.get(new URL(url).pathname)
    if (!file || (method !== 'GET' && method !== 'HEAD')) return undefined
    if (headers.get('If-None-Match')?.includes(file.headers.ETag as string)) {
      return new Response(null, { status: 304, headers: file.headers })
    }
    const body = method === 'HEAD' ? null : (Readable.toWeb(createReadStream(file.path)) as ReadableStream<Uint8Array>)
    return new Response(body, { headers: { ...file.headers, 'Content-Length': String(file.size) } })
  }
}

async function listFiles({ path, folder, cacheControl }: Mount): Promise<[string, File][]> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const known = names.filter((name) => extname(name) in types)
  return Promise.all(
    known.map(async (name): Promise<[string, File]> => {
      const file = join(folder, name)
      const { size, mtimeMs } = await stat(file)
      const headers = {
        'Content-Type': types[extname(name)] as string,
        'Cache-Control': cacheControl,
        ETag: `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`,
        'X-Content-Type-Options': 'nosniff',
      }
      return [path + encodeURI(name.replaceAll(sep, '/')), { path: file, size, headers }]
    }),
  )
}
