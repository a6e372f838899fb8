import { jsxRenderer } from 'hono/jsx-renderer'

export default jsxRenderer(({ children }) => (
  <html lang="en">
    <body>{children}</body>
  </html>
))
