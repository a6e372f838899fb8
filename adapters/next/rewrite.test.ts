import { describe, expect, it } from 'vitest'
import { createSigner, encodeSource } from '../../core/image/index.js'
import { createImageRewrite } from './rewrite.js'

const key = { key: '736563726574', salt: '68656c6c6f' }
const rewrite = createImageRewrite({
  ...key,
  serviceUrl: 'http://images.test',
  sources: ['/media/'],
  serviceSecret: 'service-secret',
})
const encoded = encodeSource('/media/cat.jpg')

describe('createImageRewrite', () => {
  it('rewrites to the signed URL of the service, with only the headers that it needs', () => {
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
    // Next.js sends exactly the headers that are listed here.
    expect(response?.headers.get('x-middleware-override-headers')?.split(',').sort()).toEqual([
      'accept',
      'authorization',
      'if-none-match',
    ])
    expect(response?.headers.get('x-middleware-request-authorization')).toBe('Bearer service-secret')
  })

  it('returns the errors of the proxy, and undefined for other paths', async () => {
    const invalid = rewrite(new Request(`http://site.test/_image/${encoded}?width=641`))
    expect([invalid?.status, await invalid?.json()]).toEqual([400, { error: 'Invalid width' }])
    expect(rewrite(new Request('http://site.test/about'))).toBeUndefined()
  })
})
