import '@gatehouse/sign-in/styles.css'
import './look.css'
import { SignIn } from '@gatehouse/sign-in'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, Link } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { server } from './server.js'

const SignInPage = () => (
  <main>
    <SignIn server={server} autoFocus slots={{ footer: 'Trouble? Call 1234.' }} />
  </main>
)

const Home = () => (
  <main>
    <Link to="/sign-in">Sign in</Link>
  </main>
)

const router = createBrowserRouter([
  { path: '/', element: <Home /> },
  { path: '/sign-in', element: <SignInPage /> },
])

createRoot(document.getElementById('app')).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
