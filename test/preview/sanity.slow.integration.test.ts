import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createPreview, sanityPreview } from '../../core/preview/index.js'
import type { RunningServer } from '../adapter/adapter.js'
import { listen } from '../adapter/listen.js'
import { installPackages } from '../setup/install-packages.js'

// The studio's own package, `@sanity/preview-url-secret`, opens a preview. The stand-in of Sanity's API runs each query
// with Sanity's own GROQ, and shows drafts to the token and the perspective `raw` only.

const load = (name: string) => import(createRequire(import.meta.url).resolve(name))
const platformFetch = fetch
const [token, studio] = ['a token', 'https://site.sanity.studio']
const preview = createPreview({
  secret: 's'.repeat(32),
  verify: [sanityPreview({ projectId: 'abc123', dataset: 'production', token })],
  studio: [studio],
})
let documents: Record<string, unknown>[] = []
let api: RunningServer

/** Calls the handler, whose requests to Sanity go to the stand-in. */
const call = async (url: string) => {
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    expect(new URL(input).origin).toBe('https://abc123.api.sanity.io')
    return platformFetch(input.replace('https://abc123.api.sanity.io', api.url), init)
  })
  const response = await preview.handler(new Request(url))
  const cookie = response?.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { response, state: preview.isOn(new Request(url, { headers: { cookie } })) }
}

/** Has the package create a secret as the studio does, and the address that it opens. */
async function openStudio(page = '/articles/boats?a=1', perspective = 'drafts') {
  const { createClient } = await load('@sanity/client')
  const { createPreviewSecret } = await load('@sanity/preview-url-secret/create-secret')
  const { definePreviewUrl } = await load('@sanity/preview-url-secret/define-preview-url')
  const options = { projectId: 'abc123', dataset: 'production', token, apiVersion: '2025-02-19', useCdn: false }
  const client = createClient({ ...options, apiHost: api.url, useProjectHostname: false })
  const { secret } = await createPreviewSecret(client, 'sanity/presentation', studio)
  const resolve = definePreviewUrl({
    origin: 'https://www.example.com',
    preview: page,
    previewMode: { enable: '/api/preview' },
  })
  return (await resolve({ client, previewUrlSecret: secret, studioPreviewPerspective: perspective })) as string
}

beforeAll(async () => {
  await installPackages(import.meta.dirname)
  const { parse, evaluate } = await load('groq-js')
  const run = async (query: string, params: object, dataset: unknown[]) =>
    (await evaluate(parse(query, { params }), { dataset, params })).get()
  const server = createServer(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://localhost')
    const isEditor = req.headers.authorization === `Bearer ${token}`
    if (pathname.includes('/mutate/') && isEditor) {
      const { mutations } = (await json(req)) as { mutations: Record<string, Record<string, unknown>>[] }
      for (const { createOrReplace, patch, delete: deleted } of mutations) {
        const now = new Date().toISOString()
        if (createOrReplace) documents.push({ ...createOrReplace, _updatedAt: now })
        if (patch) Object.assign(documents.find(({ _id }) => _id === patch.id) ?? {}, patch.set, { _updatedAt: now })
        if (deleted) {
          const gone = await run(String(deleted.query), {}, documents)
          documents = documents.filter((document) => !gone.some(({ _id }: { _id: string }) => _id === document._id))
        }
      }
      return res.setHeader('Content-Type', 'application/json').end('{"transactionId":"1","results":[]}')
    }
    const isRaw = searchParams.get('perspective') === 'raw' && isEditor
    const visible = isRaw ? documents : documents.filter(({ _id }) => !String(_id).startsWith('drafts.'))
    const params = { secret: JSON.parse(searchParams.get('$secret') ?? 'null') }
    const result = await run(searchParams.get('query') ?? '', params, visible)
    res.setHeader('Content-Type', 'application/json').end(JSON.stringify({ result }))
  })
  api = await listen(server)
}, 120_000)
afterAll(() => api.close())

it('the address of the studio opens its page, with its perspective', async () => {
  const { response, state } = await call(await openStudio('/articles/boats?a=1', 'rSpring'))
  expect([response?.status, response?.headers.get('location')]).toEqual([303, '/articles/boats?a=1'])
  expect(state).toEqual({ source: 'sanity', perspective: 'rSpring' })
})

it('the package itself says the same of each address as the handler', async () => {
  const { createClient } = await load('@sanity/client')
  const { validatePreviewUrl } = await load('@sanity/preview-url-secret')
  const options = { projectId: 'abc123', dataset: 'production', token, apiVersion: '2025-02-19', useCdn: false }
  const client = createClient({ ...options, apiHost: api.url, useProjectHostname: false })
  documents.push({
    _id: 'sanity-preview-url-secret.share-access',
    _type: 'sanity.previewUrlShareAccess',
    secret: 'shared',
  })
  documents.push({
    _id: 'drafts.old',
    _type: 'sanity.previewUrlSecret',
    secret: 'old',
    _updatedAt: '2020-01-01T00:00:00Z',
  })
  documents.push({ _id: 'other', _type: 'sanity.previewUrlShareAccess', secret: 'of another document' })
  documents.push({ _id: 'post', _type: 'post', secret: 'of a post', _updatedAt: new Date().toISOString() })
  const right = await openStudio()
  const withSecret = (secret: string) => {
    const url = new URL(right)
    url.searchParams.set('sanity-preview-secret', secret)
    return url.href
  }
  const wrong = ['old', 'of another document', 'of a post', '', '"', '" || true || "', 'null'].map(withSecret)
  const results: [boolean, boolean][] = []
  for (const url of [right, withSecret('shared'), ...wrong, `${right}x`]) {
    vi.unstubAllGlobals()
    const { isValid } = await validatePreviewUrl(client, url)
    results.push([isValid, (await call(url)).state !== undefined])
  }
  expect(results.filter(([isValid]) => isValid)).toHaveLength(3) // a letter more is one of the path
  expect(results.filter(([theirs, ours]) => theirs !== ours)).toEqual([])
})
