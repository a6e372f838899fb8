import { Links, Meta, Outlet, Scripts, useRouteError } from 'react-router'

export const loader = ({ context }) => ({ nonce: context.nonce })

export function Layout({ children }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <Meta />
        <Links />
      </head>
      <body>{children}</body>
    </html>
  )
}

export default function Root({ loaderData }) {
  return (
    <>
      <Outlet />
      <Scripts nonce={loaderData.nonce} />
    </>
  )
}

export function ErrorBoundary() {
  return <h1>Größe: {useRouteError().status ?? 500}</h1>
}
