import { Auth } from '@supabase/auth-ui-react'
import { ThemeSupa } from '@supabase/auth-ui-shared'
import { createClient } from '@supabase/supabase-js'
import { createRoot } from 'react-dom/client'

const client = createClient(location.origin, 'anon-key')
createRoot(document.getElementById('root')).render(
  <Auth supabaseClient={client} view="sign_in" appearance={{ theme: ThemeSupa }} providers={['google', 'azure', 'github']} magicLink />,
)
