import { cacheLife, cacheTag } from 'next/cache'
import { connection } from 'next/server'

const content = { text: 'v1' }

async function readSettings() {
  'use cache'
  cacheTag('document')
  cacheLife('max')
  return content.text
}

/** Contains the result of the other function, which its request has called before. */
async function readPage() {
  'use cache'
  cacheTag('document')
  cacheLife('max')
  return `${await readSettings()} ${content.text}`
}

export async function GET() {
  await connection()
  const settings = await readSettings()
  return new Response(`${settings} ${await readPage()}`)
}

export async function PUT(request: Request) {
  content.text = await request.text()
  return new Response()
}
