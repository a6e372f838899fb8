import { NextResponse } from 'next/server'

// As next-intl does with `localePrefix: 'as-needed'`.
export function proxy(request) {
  const url = request.nextUrl.clone()
  if (!url.pathname.startsWith('/en/')) url.pathname = `/en${url.pathname}`
  return NextResponse.rewrite(url)
}

export const config = {
  matcher: [
    '/', // with a basePath
    '/((?!api|trpc|_next|_vercel|.*\\..*).*)',
  ],
}
