import '@gatehouse/sign-in/styles.css'
import './look.css'

export const metadata = { title: 'Sign in', icons: 'data:,' }

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
