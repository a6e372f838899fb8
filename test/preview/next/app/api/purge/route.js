import { revalidatePath } from 'next/cache'

export async function POST() {
  revalidatePath('/', 'layout')
  return new Response('purged')
}
