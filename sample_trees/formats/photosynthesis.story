<highlight>
<T1>Plants make sugar from light</T1>
<T1.1>The leaf takes in raw materials</T1.1>
<T1.1.1>Roots draw water from the soil</T1.1.1>
<T1.1.2>Pores let in carbon dioxide</T1.1.2>
<T1.2>The leaf makes useful products</T1.2>
<T1.2.1>Sugar stores the energy of sunlight</T1.2.1>
<T1.2.2>Oxygen escapes into the air</T1.2.2>
</highlight>
