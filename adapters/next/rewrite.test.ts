import { describe, expect, it } from 'vitest'
import { createSigner, encodeSource } from '../../core/image/index.js'
import { createImageRewrite } from './rewrite.js'

const key = { key: '736563726574', salt: '68656c6c6f' }
const rewrite = createImageRewrite({
  ...key,
  serviceUrl: 'http://images.test',
  sources: ['/media/'],
  serviceSecret: 'between us',
})
const encoded = encodeSource('/media/cat.jpg')

describe('createImageRewrite', () => {
  it('sends Next.js to the signed URL of the service, with the headers that it needs and no other', () => {
    const headers = {
      Accept: 'image/avif',
      'If-None-Match': '"1"',
      Cookie: 'a=b',
      Authorization: 'Basic x',
      'X-A': '1',
    }
    const response = rewrite(new Request(`http://site.test/_image/${encoded}?width=640`, { headers }))
    const path = `/rs:fill:640/g:sm/${encoded}`
    expect(response?.headers.get('x-middleware-rewrite')).toBe(`http://images.test/${createSigner(key)(path)}${path}`)
    // How Next.js is told of the complete set of headers to send.
    expect(response?.headers.get('x-middleware-override-headers')?.split(',').sort()).toEqual([
      'accept',
      'authorization',
      'if-none-match',
    ])
    expect(response?.headers.get('x-middleware-request-authorization')).toBe('Bearer between us')
  })

  it('refuses as the proxy does, and leaves other paths alone', async () => {
    const refused = rewrite(new Request(`http://site.test/_image/${encoded}?width=641`))
    expect([refused?.status, await refused?.json()]).toEqual([400, { error: 'Invalid width' }])
    expect(rewrite(new Request('http://site.test/about'))).toBeUndefined()
  })
})
