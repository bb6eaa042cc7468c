import firebase from 'firebase/compat/app'
import 'firebase/compat/auth'
import { auth } from 'firebaseui'
import 'firebaseui/dist/firebaseui.css'

firebase.initializeApp({ apiKey: 'AIzaSyBENCH', authDomain: location.host, projectId: 'bench' })
new auth.AuthUI(firebase.auth()).start('#root', { signInOptions: [{ provider: 'password' }], credentialHelper: 'none' })
