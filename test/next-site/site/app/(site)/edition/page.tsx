import { cacheLife, cacheTag } from 'next/cache'

async function readEdition() {
  'use cache'
  cacheTag('document')
  cacheLife('max')
  return crypto.randomUUID()
}

export default async function Page() {
  return <p>{await readEdition()}</p>
}
