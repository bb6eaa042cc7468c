import { createApp } from 'vue'
import SignInPage from './SignInPage.vue'

createApp(SignInPage).mount('#app')
