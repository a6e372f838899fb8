import './globals.css'

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <header>Existing site</header>
        {children}
      </body>
    </html>
  )
}
