import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CloudfrontOptions, cloudfront } from './index.js'

const key = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const sessionToken = 'IQoJb3JpZ2luX2VjEJr//////////wEaCXVzLWVhc3QtMSJHMEUCIQ=='
const reference = '3f0c8e3a-7b1d-4a55-9a57-0c7f2a9a4d11'
const sent: { url: string; headers: Record<string, string>; body: string }[] = []

/** Answers each call with the next of some responses, the last of which remains. */
const answer = (...responses: Response[]) => {
  const rest = [...responses]
  return async (request: Request) => {
    const { method, url, headers } = request
    sent.push({ url: `${method} ${url}`, headers: Object.fromEntries(headers), body: await request.text() })
    return (rest.length > 1 ? rest.shift() : rest[0])?.clone() ?? new Response('', { status: 201 })
  }
}
const create = (options: Partial<CloudfrontOptions> = {}) =>
  cloudfront({ distributionId: 'E1ABC', credentials: () => key, fetch: answer(), ...options })
const errorXml = (code: string, message: string) =>
  `<?xml version="1.0"?>\n<ErrorResponse xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>1</RequestId></ErrorResponse>`

beforeEach(() => void sent.splice(0))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/*
 * What @aws-sdk/client-cloudfront 3.1163 sends for CreateInvalidationCommand at this time, with these credentials and this
 * CallerReference. It was recorded by a `requestHandler` that throws. The headers in which the SDK names itself and its attempts
 * (`x-amz-user-agent`, `amz-sdk-invocation-id`, `amz-sdk-request`) and `content-length` were removed by middleware before
 * `httpSigningMiddleware`. aws4fetch 1.0.20 with `allHeaders` gives the same signatures.
 */
const xmlOf = (paths: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?><InvalidationBatch xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Paths><Quantity>${paths.length}</Quantity><Items>${paths.map((path) => `<Path>${path}</Path>`).join('')}</Items></Paths><CallerReference>${reference}</CallerReference></InvalidationBatch>`
it.each([
  {
    name: 'several tags',
    credentials: key,
    tags: ['document', 'post:42'],
    paths: ['#document', '#post:42', '#post:'],
    bodyHash: '84fe4666845adedae9f4872b5bb201b98e6e0072441526ec7203382b9fee44a4',
    signature: '4484836b22aac07d055349d4aaa769430424677949cb1579dd6022e62a493eff',
  },
  {
    name: 'temporary credentials',
    credentials: { ...key, sessionToken },
    tags: ['/articles/boats'],
    paths: ['#/articles/boats'],
    bodyHash: '5e62ebbc53c1b881cd3af2bb9be7457abedcf99abacce48c931e918cf9ad2237',
    signature: '3f97023864d7153844a277cdd5684537ae904fb512084bfc31fcd3e3879f927c',
  },
  {
    name: 'characters that XML escapes',
    credentials: key,
    tags: [`a&b<c>'", z`, 'ü', `A&B<C>'", Z`],
    paths: ['#a&amp;b&lt;c&gt;&apos;&quot;%2c%20z', '#%c3%bc'],
    bodyHash: '1512c3f057029e74ad293099c8344e214def4807ac47bbd9a4ab1d92b4e29541',
    signature: 'a5940bb42a9dbe945222c646dc57a3fcc1c55ba6dc6fe42b533c7e2f22e4bc0f',
  },
])('sends the request that the SDK of AWS sends: $name', async ({ credentials, tags, paths, bodyHash, signature }) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-04-30T12:34:56.789Z') })
  vi.spyOn(crypto, 'randomUUID').mockReturnValue(reference)
  await create({ credentials: async () => credentials }).purge(tags)
  const token = 'sessionToken' in credentials && { 'x-amz-security-token': sessionToken }
  const names = `content-type;host;x-amz-content-sha256;x-amz-date${token ? ';x-amz-security-token' : ''}`
  const scope = 'AKIDEXAMPLE/20260430/us-east-1/cloudfront/aws4_request'
  expect(sent).toEqual([
    {
      url: 'POST https://cloudfront.amazonaws.com/2020-05-31/distribution/E1ABC/invalidation',
      headers: {
        'content-type': 'application/xml',
        host: 'cloudfront.amazonaws.com',
        'x-amz-date': '20260430T123456Z',
        'x-amz-content-sha256': bodyHash,
        authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=${names}, Signature=${signature}`,
        ...token,
      },
      body: xmlOf(paths),
    },
  ])
})

describe('a call that fails', () => {
  const failure = async (status: number, code: string, message = 'No.') => {
    const fetch = answer(new Response(errorXml(code, message), { status }))
    const purge = create({ credentials: () => ({ ...key, sessionToken }), fetch, timeout: 1_000 }).purge(['a'])
    return purge.then(
      () => 'purged',
      (error: Error) => error.message,
    )
  }

  it.each([
    [403, 'AccessDenied', 'allow cloudfront:CreateInvalidation in the policy of the credentials'],
    [
      403,
      'ExpiredToken',
      'write credentials: fromNodeProviderChain() of @aws-sdk/credential-providers, which renews it',
    ],
    [404, 'NoSuchDistribution', 'copy distributionId from the console'],
  ])('status %d, %s, says what to do, and is not repeated', async (status, code, advice) => {
    const prefix = 'cloudfront: 1 of 1 tags not purged ("a"): '
    expect(await failure(status, code)).toBe(`${prefix}HTTP ${status}: ${code}; ${advice}; No.`)
    expect(sent).toHaveLength(1)
  })

  it('shows no secret, though AWS repeats what it was to sign', async () => {
    const message = await failure(403, 'SignatureDoesNotMatch', `not ${sessionToken} ${key.secretAccessKey}`)
    expect(message).toMatch(/HTTP 403: SignatureDoesNotMatch; not \[secret\] \[secret\]$/)
  })

  it.each(['TooManyInvalidationsInProgress', 'Throttling'])('status 400, %s, is repeated', async (code) => {
    const refusal = new Response(errorXml(code, 'Later.'), { status: 400 })
    await create({ fetch: answer(refusal, refusal, new Response('', { status: 201 })), timeout: 60_000 }).purge(['a'])
    // CloudFront creates one invalidation for calls with the same reference.
    expect(sent).toHaveLength(3)
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1)
  })

  it('another body is shown as it is', async () => {
    const fetch = answer(new Response('<html>no</html>', { status: 400 }))
    await expect(create({ fetch }).purge(['a'])).rejects.toThrow('HTTP 400: <html>no</html>')
  })
})

describe('credentials', () => {
  it('are those of the environment', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDENV')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
    vi.stubEnv('AWS_SESSION_TOKEN', '')
    await cloudfront({ distributionId: 'E1ABC', fetch: answer() }).purge(['a'])
    vi.stubEnv('AWS_SESSION_TOKEN', 'token')
    await cloudfront({ distributionId: 'E1ABC', fetch: answer() }).purge(['a'])
    expect(sent.map(({ headers }) => headers['x-amz-security-token'])).toEqual([undefined, 'token'])
    expect(sent[0]?.headers.authorization).toContain('Credential=AKIDENV/')
  })

  it('are asked for before each call, so that they can be renewed', async () => {
    let count = 0
    const cdn = create({ credentials: () => ({ ...key, sessionToken: `token-${++count}` }) })
    await cdn.purge(['a'])
    await cdn.purge(['a'])
    expect(sent.map(({ headers }) => headers['x-amz-security-token'])).toEqual(['token-1', 'token-2'])
  })

  const hint =
    'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write credentials: fromNodeProviderChain() of @aws-sdk/credential-providers'
  it.each([
    [{}, 'credentials.accessKeyId: expected credentials of AWS, got none'],
    [{ AWS_ACCESS_KEY_ID: 'a' }, 'credentials.secretAccessKey: expected credentials of AWS, got none'],
    [
      { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'S3CRET\n' },
      'credentials.secretAccessKey: expected credentials of AWS, got a malformed one',
    ],
  ])('missing in the environment %j: an error says what to write', (env, message) => {
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']) {
      vi.stubEnv(name, env[name as keyof typeof env])
    }
    expect(() => cloudfront({ distributionId: 'E1ABC' })).toThrow(`${message}; ${hint}`)
  })

  it.each([
    ['throws', () => Promise.reject(new Error('no role')), 'no role'],
    ['returns nothing', () => undefined as never, 'credentials.accessKeyId: expected credentials of AWS, got none'],
  ])('a function that %s is reported', async (_, credentials, message) => {
    await expect(create({ credentials, timeout: 300 }).purge(['a'])).rejects.toThrow(message)
    expect(sent).toEqual([])
  })
})

it('each tag and each group is charged for once, whatever its case', async () => {
  await create().purge(['Post:1', 'post:1', 'POST:2', 'document'])
  expect(sent[0]?.body.match(/#[^<]+/g)).toEqual(['#post:1', '#post:2', '#document', '#post:'])
})

it('more than 50 tags become their groups', () => {
  const tags = (count: number) => Array.from({ length: count }, (_, id) => `contentful:${id}`)
  expect(create().headers(tags(50))['Cache-Tag']?.split(',')).toHaveLength(50)
  expect(create().headers(['document', ...tags(50)])).toEqual({ 'Cache-Tag': 'document,contentful:' })
})
