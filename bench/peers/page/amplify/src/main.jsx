import '@aws-amplify/ui-react/styles.css'
import { Authenticator } from '@aws-amplify/ui-react'
import { Amplify } from 'aws-amplify'
import { createRoot } from 'react-dom/client'

const back = [location.origin]
const oauth = { domain: 'x.example.com', scopes: ['openid'], redirectSignIn: back, redirectSignOut: back, responseType: 'code' }
Amplify.configure({
  Auth: { Cognito: { userPoolId: 'us-east-1_abcdefghi', userPoolClientId: '1234567890abcdefghijklmnop', loginWith: { oauth } } },
})
createRoot(document.getElementById('root')).render(
  <Authenticator socialProviders={['google', 'apple', 'amazon']} loginMechanisms={['email']} hideSignUp />,
)
