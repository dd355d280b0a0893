<map version="1.0.1">
<node ID="ID_1" TEXT="Plants make sugar from light">
  <node ID="ID_2" TEXT="The leaf takes in raw materials">
    <node ID="ID_3" TEXT="Roots draw water from the soil"/>
    <node ID="ID_4" TEXT="Pores let in carbon dioxide"/>
  </node>
  <node ID="ID_5" TEXT="The leaf makes useful products">
    <node ID="ID_6" TEXT="Sugar stores the energy of sunlight"/>
    <node ID="ID_7" TEXT="Oxygen escapes into the air"/>
  </node>
</node>
</map>
