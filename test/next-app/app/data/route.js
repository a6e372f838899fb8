import { connection } from 'next/server.js'
import { readRemote, readText } from '../read.js'

export async function GET() {
  await connection()
  return Response.json({ text: await readText(), remote: await readRemote() })
}
