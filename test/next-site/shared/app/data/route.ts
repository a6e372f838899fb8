import { connection } from 'next/server'
import { readRemote, readText } from '../(site)/shared/read'

export async function GET() {
  await connection()
  return Response.json({ text: await readText(), remote: await readRemote() })
}
